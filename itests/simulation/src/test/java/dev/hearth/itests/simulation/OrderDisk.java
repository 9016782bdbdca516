package dev.hearth.itests.simulation;

import dev.hearth.itests.simulation.OrderMessages.Remark;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.testkit.SimulatedProcess;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** The disk of a shop, which survives its crashes, and an observer's view of it. Lives as long as its world. */
final class OrderDisk {
    private final Map<String, Integer> carriedOut = new LinkedHashMap<>();
    private final Map<Source, Long> lastNumber = new HashMap<>(); // read by key alone
    private final Set<Remark> heard = new LinkedHashSet<>();
    private boolean twice;
    private boolean outOfOrder;

    boolean isCarriedOut(String order) {
        return carriedOut.containsKey(order);
    }

    void carryOut(String order) {
        twice |= carriedOut.merge(order, 1, Integer::sum) > 1;
    }

    /** Checks that no message within a connection is missing before its end, and that none arrives twice in all. */
    void note(SimulatedProcess process, Peer peer, Remark remark) {
        Long before = lastNumber.put(new Source(process, peer.id()), remark.number());
        outOfOrder |= before != null && remark.number() != before + 1;
        outOfOrder |= !heard.add(remark);
    }

    boolean isWithoutRepetition() {
        return !twice;
    }

    boolean isInOrder() {
        return !outOfOrder;
    }

    int remarks() {
        return heard.size();
    }

    private record Source(SimulatedProcess process, long peer) {}
}
