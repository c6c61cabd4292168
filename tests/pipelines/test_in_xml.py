from migrate.model import Refusal
from migrate.pipelines import in_xml as plug
from tests.pipelines.reading import check, held, reconfigured, runs

TEAMCITY = """\
<build-type>
  <settings>
    <options><option name="maximumNumberOfBuilds" value="1" /></options>
    <runner type="simpleRunner">
      <param name="script.content"><![CDATA[cd net && terraform init
terraform apply -lock=false]]></param>
      <param name="teamcity.step.name" value="terraform apply" />
    </runner>
    <runner type="simpleRunner">
      <param name="script.content" value="cd net &amp;&amp; tofu init -backend-config=&quot;key=a&quot;" />
    </runner>
  </settings>
</build-type>
"""
JENKINS = """\
<project>
  <description>terraform apply</description>
  <concurrentBuild>true</concurrentBuild>
  <builders>
    <hudson.tasks.Shell>
      <command>#!/bin/sh
terraform -chdir=net apply -lock=false</command>
    </hudson.tasks.Shell>
  </builders>
</project>
"""


def test_runs() -> None:
    assert runs(plug, ".teamcity/Net/buildTypes/Net_Apply.xml", TEAMCITY) == [
        "5: terraform init @ ?",
        "6: terraform apply -lock=false @ ?",
        "10: opentofu init -backend-config=key=a @ ?",
    ]
    assert runs(plug, "jobs/net/config.xml", JENKINS) == ["7: terraform apply -lock=false @ net"]


def test_a_setting_beside_it_holds_it_back() -> None:
    assert held(plug, "net.xml", TEAMCITY)[1] == ("apply", "True", "?")
    assert held(plug, "config.xml", JENKINS) == [("apply", "?", "?")]


def test_changes_where_nothing_is_escaped() -> None:
    plain = TEAMCITY.replace("tofu init", "tofu plan")
    check(plug, "net.xml", plain, plain.replace("raform init", "raform init -reconfigure"))
    assert isinstance(reconfigured(plug, "net.xml", TEAMCITY), Refusal)
