package dev.hearth.engine.internal.driver;

import dev.hearth.engine.internal.protocol.ExecutorProtocol.Holder;
import dev.hearth.engine.internal.task.TaskEnd;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.rpc.Bytes;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Takes what large results are about to where it goes in their driver. Called on its loop; no state of its own. */
record ResultOutlets(Driver driver) implements ResultFetches.Outlets {
    @Override
    public Optional<Holder> holder(ExecutorId executor) {
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
