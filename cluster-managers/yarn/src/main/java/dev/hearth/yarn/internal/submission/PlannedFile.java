package dev.hearth.yarn.internal.submission;

import dev.hearth.spi.stream.ContentId;
import dev.hearth.yarn.internal.line.ContainerFile;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * File of a submission that containers get. Its bytes are on this machine, in {@code local} with the hash {@code content},
 * or at {@code remote}. {@code link} is its name in a container, {@code name} the end of its name
 * in the store; {@code forExecutors} says whether executors get it, and not the driver alone. Immutable.
 */
record PlannedFile(
        String link,
        String name,
        ContainerFile.Kind kind,
        Optional<Path> local,
        Optional<ContentId> content,
        Optional<URI> remote,
        boolean forExecutors) {

    static PlannedFile ofLocal(String link, ContainerFile.Kind kind, String name, Path path, ContentId content) {
        return new PlannedFile(link, name, kind, Optional.of(path), Optional.of(content), Optional.empty(), true);
    }

    static PlannedFile ofRemote(String link, ContainerFile.Kind kind, String name, URI remote) {
        return new PlannedFile(link, name, kind, Optional.empty(), Optional.empty(), Optional.of(remote), true);
    }

    PlannedFile driverOnly() {
        return new PlannedFile(link, name, kind, local, content, remote, false);
    }
}
