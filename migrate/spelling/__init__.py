"""How a policy is spelled in JSON and in HCL: text to policy values, and a statement to text."""
