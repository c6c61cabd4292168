"""How things are written in files of many kinds: what several plugs of one room read and write alike.

- Policies, for `policies` and `roles`: `written` is a policy in its file and the edits of it. `json_text`,
  `hcl_text`, `hcl_block`, `cfn_json`, `cfn_yaml`, `program`: statements in one notation each, in and out.
- Versions, for `pins`: `choice` makes a pin of a version. `assignments`, `version_keys`, `images`, `filled`
  find versions in scripts, YAML, tags of images and variables, by the names in `version_names`.
- Runs, for `pipelines`: `runs` makes runs of the commands that `shell` reads, with `command_line`, `places`,
  `yaml_scripts`, `orbs` and `azure_tasks` for what YAML says besides. `commands` and `list_items` are about
  single arguments, for `dialects` too, as are `inlaid` and `json_blocks` about blocks in other texts.
- Lock tables, for `tables`: `definitions` and `calls`.
"""
