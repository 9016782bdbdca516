package dev.hearth.yarn.internal.cluster;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Client of a ResourceManager. Methods block, for as long as Hadoop retries. Used by one thread at a time; closed by its
 * owner.
 */
public interface YarnCluster extends AutoCloseable {
    NewApplication create() throws IOException;

    /** Facts about the cluster; {@code queue} is the one that is asked for. */
    ClusterFacts facts(String queue) throws IOException;

    /** The problem of a text that is no placement constraint; empty if it is one. Sends nothing. */
    Optional<String> constraintProblem(String constraint);

    /** Submits an application. Returns once the ResourceManager has it; it may have it even if this fails. */
    void submit(ApplicationRequest request) throws IOException;

    /** The report about an application; empty if the ResourceManager does not know it. */
    Optional<ClusterReport> report(String application) throws IOException;

    /** The applications of this user with {@code tag}. */
    List<ClusterReport> withTag(String tag) throws IOException;

    /** The applications whose type is {@code type}, running and ended. */
    List<ClusterReport> ofType(String type) throws IOException;

    /** Ends an application, with {@code words} as its diagnostics. */
    void kill(String application, String words) throws IOException;

    /** Addresses of the logs of the application master's latest container, by their names; empty if there is none. */
    Map<String, String> driverLogs(ClusterReport report) throws IOException;

    @Override
    void close();
}
