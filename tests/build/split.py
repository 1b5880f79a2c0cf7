"""The example's model in two files, so that there is something to import."""


def split(lamp):
    channels = "input press;\noutput light, dark;\n"
    assert channels in lamp
    return lamp.replace(channels, "").replace("module lamp;\n", "module lamp;\nimport signals;\n"), f"module signals;\n{channels}"
