package dev.hearth.itests.simulation;

import dev.hearth.itests.simulation.OrderMessages.Delivered;
import dev.hearth.itests.simulation.OrderMessages.Order;
import dev.hearth.itests.simulation.OrderMessages.Remark;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.testkit.SimulatedProcess;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Sends orders to a shop until all are delivered, retries each failure under the same id, and sends one-way remarks.
 * Owned by the loop of its process; its {@link Purse} outlives it.
 */
final class OrderBuyer {
    private static final Duration ANSWER_MAX = Duration.ofSeconds(3);
    private static final long RETRY_MILLIS_MAX = 400;
    private static final Duration REMARK_PERIOD = Duration.ofMillis(150);

    private final SimulatedProcess process;
    private final EventLoop loop;
    private final EndpointRef shop;
    private final Purse purse;
    private final OrderFlaw flaw;

    OrderBuyer(SimulatedProcess process, EventLoop loop, EndpointRef shop, Purse purse, OrderFlaw flaw) {
        this.process = process;
        this.loop = loop;
        this.shop = shop;
        this.purse = purse;
        this.flaw = flaw;
    }

    void begin() {
        loop.execute(() -> {
            purse.open.forEach(id -> after(retryWait(), () -> order(id)));
            remark();
        });
    }

    private void order(String id) {
        shop.ask(new Order(id, process.name()), Delivered.class, ANSWER_MAX)
                .whenComplete((delivered, failure) -> loop.inOrder(() -> {
                    if (failure == null) {
                        purse.received(process.name(), id, delivered);
                    } else if (flaw != OrderFlaw.WAITS_FOR_THE_LOST || Failures.code(failure) != ErrorCode.PEER_LOST) {
                        after(retryWait(), () -> order(id));
                    }
                }));
    }

    private void remark() {
        if (!purse.isDone()) {
            shop.send(new Remark(process.name(), ++purse.remarks));
            after(REMARK_PERIOD, this::remark);
        }
    }

    private void after(Duration delay, Runnable action) {
        loop.schedule(delay, action);
    }

    private Duration retryWait() {
        return Duration.ofMillis(process.simulation().random().nextLong(1, RETRY_MILLIS_MAX));
    }

    /** The open orders of one buyer at one shop; survives the buyer's process. Lives as long as its world. */
    static final class Purse {
        private final Set<String> open;
        private long remarks;
        private boolean wrongReply;

        Purse(List<String> orders) {
            open = new LinkedHashSet<>(orders);
        }

        boolean isDone() {
            return open.isEmpty();
        }

        boolean hasOwnRepliesOnly() {
            return !wrongReply;
        }

        private void received(String buyer, String id, Delivered delivered) {
            wrongReply |= !delivered.equals(new Delivered(id, buyer));
            open.remove(id);
        }
    }
}
