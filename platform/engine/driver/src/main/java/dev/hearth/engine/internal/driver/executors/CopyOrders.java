package dev.hearth.engine.internal.driver.executors;

import dev.hearth.engine.internal.driver.blocks.BlockLocationRegistry;
import dev.hearth.engine.internal.driver.blocks.ReplicationManager;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.MigrateMapOutput;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.ReplicateBlock;
import dev.hearth.spi.id.ExecutorId;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Orders to executors to copy blocks and map outputs. {@code executors} sends an order over the connection of an executor, if
 * it has one. Owned by the driver's event loop.
 */
record CopyOrders(BlockLocationRegistry cachedBlocks, BiConsumer<ExecutorId, Consumer<ExecutorLink>> executors)
        implements ReplicationManager.CopySender {
    @Override
    public void copy(ExecutorId executor, ReplicateBlock order) {
        executors.accept(executor, link -> {
            if (cachedBlocks.isPinned(order.dataset())) { // the target may have registered after the dataset was pinned
                link.pinCached(order.dataset());
            }
            link.copy(order);
        });
    }

    @Override
    public void copy(ExecutorId executor, MigrateMapOutput order) {
        executors.accept(executor, link -> link.copy(order));
    }
}
