/**
 * What the launcher does as root, in a mount namespace of its own, before it gives its rights away. Everything that the
 * sandbox uses is bound to places under a small tmpfs, so folders of mode 700 above the state folder, Node or the app stay
 * closed (design.md, section 7). All mounts vanish with the last process of the sandbox; nothing has to be undone.
 * Exit code 91: the disk could not be mounted.
 */
export const ROOT_SCRIPT = `
set -eu
for group in $JOIN; do echo $$ > "$group"; done
mount -t tmpfs -o mode=755,size=1m,nosuid,nodev dormouse "$STAGE"
mkdir "$STAGE/files" "$STAGE/etc" "$STAGE/inside" "$STAGE/agent"
if [ "$DISK" = image ]; then
  mount -t ext4 -o "loop,$MOUNT_OPTIONS" "$SANDBOX/disk.img" "$STAGE/files" || exit 91
else
  mount --bind "$SANDBOX/fs" "$STAGE/files" || exit 91
fi
if [ "$FURNISH" = 1 ]; then
  mkdir -p "$STAGE/files/workspace" "$STAGE/files/home"
  chown "$RUN_AS" "$STAGE/files/workspace" "$STAGE/files/home"
fi
cp "$SANDBOX"/etc/* "$STAGE/etc/"
cp "$AGENT"/*.cjs "$STAGE/agent/"
chmod -R a+rX "$STAGE/etc" "$STAGE/agent"
mount --bind "$SANDBOX/inside" "$STAGE/inside"
touch "$STAGE/node"
mount --bind "$NODE" "$STAGE/node"
if [ -n "$NODE_MODULES" ]; then mkdir "$STAGE/node_modules"; mount --bind "$NODE_MODULES" "$STAGE/node_modules"; fi
exec env -i PATH="$PATH" setpriv --reuid "$RUN_AS" --regid "$RUN_AS" --clear-groups \\
  --inh-caps=-all --bounding-set=-all --no-new-privs -- "$@"
`;
