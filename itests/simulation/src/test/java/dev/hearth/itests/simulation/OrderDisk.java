package dev.hearth.itests.simulation;

import dev.hearth.itests.simulation.OrderMessages.Remark;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.testkit.SimulatedProcess;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** What a shop wrote down, which its crash does not touch, and what an onlooker sees of it. Lives as long as its world. */
final class OrderDisk {
    private final Map<String, Integer> carriedOut = new LinkedHashMap<>();
    private final Map<Source, Long> lastNumber = new HashMap<>(); // asked by key alone
    private final Set<Remark> heard = new LinkedHashSet<>();
    private boolean twice;
    private boolean outOfOrder;

    boolean isCarriedOut(String order) {
        return carriedOut.containsKey(order);
    }

    void carryOut(String order) {
        twice |= carriedOut.merge(order, 1, Integer::sum) > 1;
    }

    /** Within a connection nothing is missing before the end; in all, nothing comes twice. */
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
