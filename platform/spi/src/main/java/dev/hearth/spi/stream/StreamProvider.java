package dev.hearth.spi.stream;

import java.io.IOException;
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
}
