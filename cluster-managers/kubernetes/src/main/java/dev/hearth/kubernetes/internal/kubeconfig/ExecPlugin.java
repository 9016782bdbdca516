package dev.hearth.kubernetes.internal.kubeconfig;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Plug-in for credentials: a command that prints an ExecCredential, as {@code aws eks get-token} does. {@code cluster} is
 * the JSON that the plug-in gets about its cluster, empty if it gets none. Immutable; its text form leaves out the
 * arguments and the variables, which may contain secrets.
 */
public record ExecPlugin(
        String user,
        String apiVersion,
        String command,
        List<String> arguments,
        Map<String, String> environment,
        String installHint,
        String cluster) {
    public ExecPlugin {
        arguments = List.copyOf(arguments);
        environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    }

    @Override
    public String toString() {
        return "exec plug-in '" + command + "' of user '" + user + "'";
    }
}
