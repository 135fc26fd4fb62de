"""Runs an agent of Frida in a virtual machine of its own: attach.py JAVA CLASSES AGENT"""

import json
import subprocess
import sys

import frida

java, classes, agent = sys.argv[1:]
machine = subprocess.Popen(
    [java, "-cp", classes, "-XX:-UsePerfData", "Wait"],
    stdin=subprocess.PIPE,
    stdout=subprocess.PIPE,
)
try:
    machine.stdout.readline()
    with open(agent, encoding="utf-8") as source:
        script = frida.attach(machine.pid).create_script(source.read())
    script.on("message", lambda message, _: print(message, file=sys.stderr))
    script.load()
    print(json.dumps(script.exports_sync.run()))
finally:
    machine.kill()
