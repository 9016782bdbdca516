package dev.hearth.engine.internal.driver;

import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.net.Bytes;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Takes what large results are about to where it goes in their driver. Called on its loop; no state of its own. */
record ResultFetchCallbacks(Driver driver) implements ResultFetcher.Callbacks {
    @Override
    public Optional<BlockServerAddress> holder(ExecutorId executor) {
        return driver.fleet().holder(executor);
    }

    @Override
    public void ended(ExecutorId executor, List<TaskEnd> ends) {
        driver.ended(executor, ends);
    }

    @Override
    public CompletionStage<Bytes> opened(Bytes fetched) {
        return driver.opened(fetched);
    }

    @Override
    public void drop(ExecutorId executor, long task) {
        driver.fleet().send(executor, link -> link.dropResult(task));
    }
}
