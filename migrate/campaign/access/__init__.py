"""Who may take and release which lock: the policies of source and of accounts held against every state.

`questions` says what each state asks of a policy, and `verdicts` answers. The holders of policies come from
source (`roles`) or from AWS (`accounts`); `cure` is the least change that lets all of them lock.
`asking` asks the store itself.
"""
