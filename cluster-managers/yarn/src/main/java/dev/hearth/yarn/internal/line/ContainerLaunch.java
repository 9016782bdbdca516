package dev.hearth.yarn.internal.line;

import dev.hearth.spi.net.Bytes;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Launch of a process in a granted container: its command, environment and files, and what only its credentials file holds:
 * {@code secrets} by alias, and {@code tokens}, a token file of Hadoop, or empty. {@code acls} maps VIEW_APP and MODIFY_APP
 * to users and groups. Immutable; its text form has no secret.
 */
public record ContainerLaunch(
        String container,
        List<String> command,
        Map<String, String> environment,
        List<ContainerFile> files,
        Map<String, Bytes> secrets,
        Bytes tokens,
        Map<String, String> acls) {
    public ContainerLaunch {
        command = List.copyOf(command);
        files = List.copyOf(files);
        environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
        secrets = Collections.unmodifiableMap(new LinkedHashMap<>(secrets));
        acls = Collections.unmodifiableMap(new LinkedHashMap<>(acls));
    }

    /** This launch with another command. */
    public ContainerLaunch withCommand(List<String> other) {
        return new ContainerLaunch(container, other, environment, files, secrets, tokens, acls);
    }

    @Override
    public String toString() {
        return "launch in " + container + ": " + command + ", " + files.size() + " files";
    }
}
