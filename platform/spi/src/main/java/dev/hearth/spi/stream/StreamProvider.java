package dev.hearth.spi.stream;

import dev.hearth.spi.net.Bytes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Finds the content of a served stream by name. Called on threads for bulk data, which may block on the disk but on
 * nothing else.
 */
@ConsumerType
public interface StreamProvider {
    /**
     * Content of the stream named {@code name}; empty if there is none. Names come from the network but never contain
     * {@code ..}.
     */
    Optional<StreamContent> open(String name) throws IOException;

    /**
     * Files and directories directly in directory {@code name}; empty if {@code name} is not a directory. The empty
     * name is the served root.
     */
    default Optional<List<StreamEntry>> list(String name) throws IOException {
        return Optional.empty();
    }

    /**
     * Provider of the files below {@code directory}, which must exist. Links that lead out of the directory are not
     * followed.
     */
    static StreamProvider directory(Path directory) throws IOException {
        return new DirectoryStreamProvider(directory.toRealPath());
    }

    /**
     * Provider of one stream, {@code file}, whose name is exactly the prefix under which the provider is registered.
     */
    static StreamProvider file(Path file) {
        return name -> name.isEmpty() ? FileContent.of(file) : Optional.empty();
    }

    /**
     * Provider of one stream, {@code bytes}, whose name is exactly the prefix under which the provider is registered.
     */
    static StreamProvider bytes(Bytes bytes) {
        StreamContent content = new StreamContent.InMemory(bytes, FileContent.tag(bytes));
        return name -> name.isEmpty() ? Optional.of(content) : Optional.empty();
    }
}
