package dev.hearth.engine.internal.driver.blocks;

import dev.hearth.engine.internal.plan.LaunchBatch;
import dev.hearth.engine.internal.plan.NarrowDependencies;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.Step;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.CachedBlock;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.UpdateCachedBlocks;
import dev.hearth.spi.id.ExecutorId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds cached blocks that the tasks of a launch can read from other executors, so that the tasks need not compute
 * these blocks. The search costs nothing for stages without persisted datasets, and one lookup per task if the executor
 * itself has all blocks. Each link to an executor has one instance; owned by the driver's event loop.
 */
public final class CachedBlockHints {
    private static final int ROOT = -1;
    private static final int HOLDERS_MAX = 3; // bound on the executors listed for one block

    private static final int STAGES_USUAL = 2; // initial capacity; small, as there may be thousands of links

    private final BlockLocationRegistry locations;
    private final ReplicationPeers peers;
    /**
     * For each stage plan, whether the stage computes or reads a persisted dataset. Never iterated, because the order
     * of the map varies between runs.
     */
    private final IdentityHashMap<StagePlan, Boolean> persisting = new IdentityHashMap<>(STAGES_USUAL);

    public CachedBlockHints(BlockLocationRegistry locations, ReplicationPeers peers) {
        this.locations = locations;
        this.peers = peers;
    }

    /** Forgets whether the stage of {@code plan} uses persisted datasets, as no more of its tasks are launched. */
    public void forget(StagePlan plan) {
        persisting.remove(plan);
    }

    /**
     * The locations of cached blocks that the tasks of {@code batch} read and that {@code target}, the executor which
     * runs the batch, does not cache itself. Empty if there are no such blocks.
     */
    public Optional<UpdateCachedBlocks> of(LaunchBatch batch, ExecutorId target) {
        StagePlan plan = batch.plan();
        if (!persisting.computeIfAbsent(plan, CachedBlockHints::persists)) {
            return Optional.empty();
        }
        List<CachedBlock> places = new ArrayList<>();
        Set<NarrowDependencies.BranchPartition> seen = new LinkedHashSet<>();
        ArrayDeque<NarrowDependencies.BranchPartition> stack = new ArrayDeque<>();
        for (int i = 0; i < batch.size(); i++) {
            stack.push(new NarrowDependencies.BranchPartition(ROOT, batch.partition(i)));
        }
        while (!stack.isEmpty()) {
            NarrowDependencies.BranchPartition part = stack.pop();
            if (seen.add(part)) {
                Pipeline pipeline = plan.pipeline();
                Pipeline.Branch branch = part.branch() == ROOT
                        ? new Pipeline.Branch(pipeline.source(), pipeline.steps())
                        : pipeline.branches().get(part.branch());
                if (!isCached(branch.steps(), part.partition(), target, places)) {
                    branch.source().parts().of(part.partition()).forEach(stack::push);
                }
            }
        }
        return places.isEmpty() ? Optional.empty() : Optional.of(new UpdateCachedBlocks(places));
    }

    private static boolean persists(StagePlan plan) {
        return persists(plan.pipeline().steps())
                || plan.pipeline().branches().stream().anyMatch(branch -> persists(branch.steps()));
    }

    private static boolean persists(List<Step> steps) {
        return steps.stream().anyMatch(Step.Persist.class::isInstance);
    }

    /**
     * Whether {@code target} or a reachable executor caches the partition of a dataset that one of {@code steps}
     * persists. Later steps are checked first. If {@code target} itself does not cache that block, adds the block and
     * the executors that cache it to {@code places}.
     */
    private boolean isCached(List<Step> steps, int partition, ExecutorId target, List<CachedBlock> places) {
        for (int i = steps.size() - 1; i >= 0; i--) {
            if (steps.get(i) instanceof Step.Persist persist) {
                int dataset = persist.dataset();
                List<String> on = locations.holders(dataset, partition);
                if (on.contains(target.value())) {
                    return true;
                }
                List<BlockServerAddress> reachable = peers.of(on).stream()
                        .filter(ReplicationPeers.Peer::isReachable)
                        .limit(HOLDERS_MAX)
                        .map(peer -> peer.holder)
                        .toList();
                if (!reachable.isEmpty()) {
                    places.add(new CachedBlock(dataset, partition, reachable));
                    return true;
                }
            }
        }
        return false;
    }
}
