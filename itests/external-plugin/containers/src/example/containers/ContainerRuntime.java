package example.containers;

import dev.hearth.spi.process.ChildExit;
import dev.hearth.spi.process.ChildSpec;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * Machine on which containers run: directories, each for a process without a parent. Any thread may call. Results
 * complete on any thread.
 */
public interface ContainerRuntime {
    /** Creates an empty container; completes with its name, which contains {@code purpose}. */
    CompletionStage<String> create(String purpose);

    /** Directory of the container {@code name}. */
    Path directory(String name);

    /**
     * Starts the process {@code spec} in its directory, which is that of a container or below it, with copies of
     * {@code files} by name.
     */
    CompletionStage<Container> start(ChildSpec spec, Map<String, Path> files);

    /** Names of the containers for {@code purpose} whose processes run, with the notes of these processes. */
    CompletionStage<Map<String, String>> running(String purpose);

    /** Asks the process of a container to end. Completes with false if none runs there. */
    CompletionStage<Boolean> stop(String name);

    /** Ends all processes in a container and removes its directory. */
    CompletionStage<Void> remove(String name);

    /** Container whose process has started. */
    interface Container {
        String name();

        CompletionStage<End> ended();

        /** Asks the process to end, which {@link End#isStopped} does not count. */
        void release();
    }

    /** End of a process; {@code isStopped} says whether {@link #stop} asked for it. {@code note} is its last note. */
    record End(ChildExit exit, boolean isStopped, String note) {}
}
