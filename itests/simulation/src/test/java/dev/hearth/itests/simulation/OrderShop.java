package dev.hearth.itests.simulation;

import dev.hearth.itests.simulation.OrderMessages.Delivered;
import dev.hearth.itests.simulation.OrderMessages.Order;
import dev.hearth.itests.simulation.OrderMessages.Remark;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.RpcCall;
import dev.hearth.spi.rpc.RpcEndpoint;
import dev.hearth.testkit.SimulatedProcess;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Carries out orders one at a time, each for some time, and records them on its disk. Gives up an order once its
 * buyer's connection has broken. Owned by the loop of its process, and ends with it; the disk remains.
 */
final class OrderShop implements RpcEndpoint {
    private static final long WORK_MILLIS_MAX = 60;
    private static final long NOTE_MILLIS_MAX = 40;

    private final SimulatedProcess process;
    private final EventLoop loop;
    private final OrderDisk disk;
    private final OrderFlaw flaw;
    private final Set<String> remembered = new LinkedHashSet<>();
    private final Map<String, List<RpcCall>> callers = new LinkedHashMap<>();
    private final Deque<Order> waiting = new ArrayDeque<>();
    private @Nullable Order running;
    private EventLoop.Timeout work = () -> {};
    private @Nullable RpcCall latest;

    OrderShop(SimulatedProcess process, EventLoop loop, OrderDisk disk, OrderFlaw flaw) {
        this.process = process;
        this.loop = loop;
        this.disk = disk;
        this.flaw = flaw;
    }

    @Override
    public void receive(Record message, RpcCall call) {
        if (message instanceof Order order) {
            take(order, call);
        } else if (message instanceof Remark remark) {
            note(remark, call.peer());
        }
    }

    @Override
    public void peerLost(Peer peer, String reason) {
        callers.values().forEach(calls -> calls.removeIf(call -> call.peer() == peer));
        waiting.removeIf(order -> isForgotten(order));
        Order current = running;
        if (current != null && isForgotten(current)) {
            work.cancel();
            running = null;
            callers.remove(current.id());
            if (flaw != OrderFlaw.SLEEPS_AFTER_A_LOSS) {
                beginNext();
            }
        }
        callers.values().removeIf(List::isEmpty);
    }

    private void take(Order order, RpcCall call) {
        latest = call;
        boolean done =
                flaw == OrderFlaw.REMEMBERS_IN_MEMORY ? remembered.contains(order.id()) : disk.isCarriedOut(order.id());
        if (done && flaw != OrderFlaw.CARRIES_OUT_REPETITIONS) {
            call.reply(new Delivered(order.id(), order.buyer()));
            return;
        }
        List<RpcCall> others = callers.computeIfAbsent(order.id(), id -> new ArrayList<>());
        others.add(call);
        if (others.size() == 1 || flaw == OrderFlaw.CARRIES_OUT_REPETITIONS) {
            boolean idle = running == null && waiting.isEmpty();
            waiting.addLast(order);
            if (idle) { // otherwise it starts when its turn comes
                beginNext();
            }
        }
    }

    private void beginNext() {
        Order next = waiting.pollFirst();
        running = next;
        if (next != null) {
            work = loop.schedule(upTo(WORK_MILLIS_MAX), () -> finish(next));
        }
    }

    private void finish(Order order) {
        disk.carryOut(order.id());
        remembered.add(order.id());
        List<RpcCall> calls = callers.remove(order.id());
        RpcCall last = latest;
        if (flaw == OrderFlaw.ANSWERS_WHO_ASKED_LAST && last != null) {
            last.reply(new Delivered(order.id(), order.buyer()));
        } else if (calls != null) {
            calls.forEach(call -> call.reply(new Delivered(order.id(), order.buyer())));
        }
        beginNext();
    }

    private void note(Remark remark, Peer peer) {
        if (flaw == OrderFlaw.NOTES_LATER) {
            loop.schedule(upTo(NOTE_MILLIS_MAX), () -> disk.note(process, peer, remark));
        } else {
            disk.note(process, peer, remark);
        }
    }

    private boolean isForgotten(Order order) {
        List<RpcCall> calls = callers.get(order.id());
        return calls != null && calls.isEmpty();
    }

    private Duration upTo(long millis) {
        return Duration.ofMillis(process.simulation().random().nextLong(1, millis + 1));
    }
}
