package dev.hearth.engine.internal.driver.loop;

import dev.hearth.engine.internal.driver.executors.ExecutorFleet;
import dev.hearth.engine.internal.driver.executors.ExecutorRegistry;
import dev.hearth.engine.internal.encryption.EncryptedBlocks;
import dev.hearth.engine.internal.encryption.EncryptionSettings;
import dev.hearth.engine.internal.encryption.FileEncryptionKey;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.settings.Settings;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Connects {@link ResultFetcher} with the executors and the schedulers. Called on the driver's event loop; stateless.
 * If the application encrypts its files, {@code key} decrypts fetched results, on {@code threads}.
 */
record ResultFetchCallbacks(
        ExecutorFleet fleet,
        ExecutorRegistry registry,
        SchedulerShell scheduling,
        Optional<FileEncryptionKey> key,
        Executor threads)
        implements ResultFetcher.Callbacks {
    /** Reads from the settings of executors whether files are encrypted. */
    static ResultFetchCallbacks of(
            ExecutorFleet fleet,
            ExecutorRegistry registry,
            SchedulerShell scheduling,
            Settings executorSettings,
            Executor threads) {
        return new ResultFetchCallbacks(
                fleet,
                registry,
                scheduling,
                EncryptionSettings.from(executorSettings).key(),
                threads);
    }

    @Override
    public Optional<BlockServerAddress> holder(ExecutorId executor) {
        return fleet.holder(executor);
    }

    @Override
    public long heardNanos(ExecutorId executor) {
        return registry.heardNanos(executor);
    }

    @Override
    public void tasksEnded(ExecutorId executor, List<TaskEnd> ends) {
        scheduling.tasksEnded(executor, ends);
    }

    @Override
    public CompletionStage<Bytes> decrypted(Bytes fetched) {
        return key.map(known -> CompletableFuture.supplyAsync(
                        () -> EncryptedBlocks.opened(known, fetched, "result of a task"), threads))
                .orElseGet(() -> CompletableFuture.completedFuture(fetched));
    }

    @Override
    public void drop(ExecutorId executor, long task) {
        fleet.send(executor, link -> link.dropResult(task));
    }
}
