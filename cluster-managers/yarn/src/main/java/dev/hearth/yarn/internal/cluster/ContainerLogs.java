package dev.hearth.yarn.internal.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Logs of containers, at their nodes and as files that NodeManagers have collected. Methods block. Used by one thread. */
public interface ContainerLogs {
    /**
     * Facts about an application: its user, its last attempt, whether it has ended, how far the collection of its logs is by
     * the words of YARN, and the address of its pages, if it has one.
     */
    record LoggedApplication(String user, int attempt, boolean hasEnded, String collection, String page) {}

    /** Container at a node, whose pages are at {@code node}, such as {@code http://host:8042}. */
    record Place(String container, String node) {}

    /**
     * Part of a log at a node: {@code bytes} from the position {@code from} on. The whole log has {@code length} bytes; {@code
     * hasEnded} says, for a part that reaches its end, that the container has ended.
     */
    @SuppressWarnings("ArrayRecordComponent") // handed on once, never compared
    record NodePart(long length, long from, byte[] bytes, boolean hasEnded) {
        public long to() {
            return from + bytes.length;
        }
    }

    /** The application; empty if the ResourceManager does not know it any more. */
    Optional<LoggedApplication> application(String id) throws IOException;

    /** The containers of an attempt that live now. */
    List<Place> living(String application, int attempt) throws IOException;

    /** The container of the driver or of the application master in an attempt; empty if it has none. */
    Optional<Place> master(String application, int attempt) throws IOException;

    /**
     * Reads at most {@code max} bytes of a log at a node, from {@code from} on, out of its last {@code tail} bytes; a log that
     * has grown meanwhile may begin later. Empty if the node is gone or does not know the log.
     */
    Optional<NodePart> onNode(Place place, String log, long tail, long from, int max);

    /** Names of the logs that have been collected, by their containers; none if nothing is there. */
    Map<String, Set<String>> collected(String application, String user) throws IOException;

    /** Writes a collected log of {@code container} to {@code target}. */
    void copy(String application, String user, String container, String log, Path target) throws IOException;

    /** Name of the user of this session. */
    String user();
}
