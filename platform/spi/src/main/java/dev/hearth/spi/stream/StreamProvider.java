package dev.hearth.spi.stream;

import dev.hearth.spi.net.Bytes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ConsumerType;

/** Finds content by name. Called on threads of the bulk lane, which may touch a disk but not wait for anything else. */
@ConsumerType
public interface StreamProvider {
    /** The content of this name; empty when there is none. Names come from the network: {@code ..} is never in them. */
    Optional<StreamContent> open(String name) throws IOException;

    /** What stands directly under a name; empty when that is no directory. The empty name is the top. */
    default Optional<List<StreamEntry>> list(String name) throws IOException {
        return Optional.empty();
    }

    /** Serves the files below a directory, which must exist; links that lead out of it are not followed. */
    static StreamProvider directory(Path directory) throws IOException {
        return new DirectoryStreamProvider(directory.toRealPath());
    }

    /** Serves one file, under the very name that it is served as. */
    static StreamProvider file(Path file) {
        return name -> name.isEmpty() ? FileContent.of(file) : Optional.empty();
    }

    /** Serves bytes, under the very name that they are served as. */
    static StreamProvider bytes(Bytes bytes) {
        StreamContent content = new StreamContent.InMemory(bytes, FileContent.tag(bytes));
        return name -> name.isEmpty() ? Optional.of(content) : Optional.empty();
    }
}
