-- Lua's utf8 library as a peer, lax: to 31 bits, surrogates included. The protocol is described in ../README.md.

local function decode(bytes)
  local count, fault = utf8.len(bytes, 1, -1, true)
  if not count then return ("fault %d -"):format(fault - 1) end
  local points = {}
  for _, code in utf8.codes(bytes, true) do points[#points + 1] = ("%08x"):format(code) end
  return "ok " .. table.concat(points)
end

for line in io.lines() do
  local name, digits = line:match("^(%S*) ?(%x*)$")
  if line == "" then
    io.flush()
  elseif name == "about" then
    print("ok " .. _VERSION)
  elseif name == "lax.decode" then
    print(decode((digits:gsub("%x%x", function(byte) return string.char(tonumber(byte, 16)) end))))
  else
    print("unknown " .. name)
  end
end
io.flush()
