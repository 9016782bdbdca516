package dev.hearth.standalone.internal.worker;

import dev.hearth.spi.cluster.ContentAddress;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.RpcAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Brings the uploaded files of drivers to a worker. Any thread may call; nothing blocks. */
@FunctionalInterface
public interface DriverFiles {
    /** Files of a worker that brings none. */
    DriverFiles NONE = request -> new Fetch() {
        @Override
        public CompletionStage<Map<ContentAddress, Path>> done() {
            return CompletableFuture.failedStage(ErrorCode.STREAM_MISSING.failure(
                    "worker: fetches no files (expected: a worker with a directory for them)"));
        }

        @Override
        public void cancel() {
            // has failed already
        }
    };

    /**
     * Files to place in {@code directory}, the work directory of a driver, from {@code master}. If {@code forOthers} is
     * set, another user of the operating system runs the driver.
     */
    record Request(String driver, RpcAddress master, Set<ContentAddress> contents, Path directory, boolean forOthers) {}

    /** Begins to fetch what is not here yet. */
    Fetch fetch(Request request);

    /** Removes what was placed for a driver, which has ended. Does nothing where nothing is placed. */
    default void remove(Request request) {}

    /** Fetch of the files of one driver. */
    interface Fetch {
        /** Completes with the path of each file, once all are in the directory of the driver. */
        CompletionStage<Map<ContentAddress, Path>> done();

        /** Ends the fetch soon; it then fails, unless it has completed. */
        void cancel();
    }
}
