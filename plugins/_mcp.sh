# leftoff's MCP server. Where there is none, an empty one in its place, so that no client complains:
# it has one resource, because Gemini CLI reports a server that has nothing at all.
command -v leftoff >/dev/null 2>&1 && leftoff mcp --profile minimal && exit
while read -r line; do
  id=${line##*\"id\":}; id=${id%%[,\}]*}
  version=${line##*\"protocolVersion\":\"}; version=${version%%\"*}
  case $line in
    *'"initialize"'*) said='"protocolVersion":"'$version'","capabilities":{"resources":{}},"serverInfo":{"name":"leftoff","version":"0"}' ;;
    *'"resources/list"'*) said='"resources":[{"uri":"leftoff://absent","name":"leftoff is not installed here"}]' ;;
    *'/list"'*) said='"tools":[],"prompts":[],"resourceTemplates":[]' ;;
    *'"id":'*) said= ;;
    *) continue ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":{%s}}\n' "$id" "$said"
done
