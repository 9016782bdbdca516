package dev.hearth.spi.cluster;

import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.settings.Settings;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Services of the process that submits an application or asks about a submission, for the cluster manager. Usable until
 * the call they were passed to has completed; for {@code submit}, until the submission has ended or its front end has
 * stopped waiting.
 */
@ProviderType
public interface SubmissionServices {
    /** Event loop on which the manager is called, and on which it calls the listener of a submission. */
    EventLoop loop();

    /** Message system of the process. The first call opens it; a manager that sends no messages does not call it. */
    RpcEnv rpc();

    /**
     * Settings of the request: those of the plan for a submission, those of the command line and of the installation for
     * a question about a submission.
     */
    Settings settings();

    /** Executor for calls that block, such as reading files; their results return to {@link #loop()}. */
    Executor blocking();

    /** Directory of the installation. */
    Path home();

    /** Environment variables of the process. */
    Map<String, String> environment();

    /**
     * Whether the submitter is the user of this process, so that a manager may read the files of a plan on this machine
     * and send them to the cluster. False if the process submits on behalf of others, who must not see its files.
     */
    default boolean sendsFiles() {
        return false;
    }

    /**
     * Completes on {@link #loop()} when the user ends the call before it has completed, for example by Ctrl-C. A manager
     * that has created something on the cluster for it then undoes that, and completes or fails the call; a front end
     * waits for that for a bounded time if the manager has called this method before.
     */
    default CompletionStage<Void> stopped() {
        return new CompletableFuture<>();
    }

    /**
     * Prints a line about an answer, in the words of Spark's client for this kind of cluster. A front end that answers in
     * words of its own ignores it.
     */
    default void said(String line) {
        // a front end with words of its own needs none
    }
}
