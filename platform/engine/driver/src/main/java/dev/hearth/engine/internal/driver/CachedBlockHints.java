package dev.hearth.engine.internal.driver;

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
 * Finds the kept blocks that tasks may begin with and that their executor has not, so that it knows where to get them. Costs
 * nothing where nothing is kept, and one look per task where all is near. Lives with the way to one executor; owned by the
 * driver's loop.
 */
final class CachedBlockHints {
    private static final int ROOT = -1;
    private static final int HOLDERS_MAX = 3; // of one block that are named

    private static final int STAGES_USUAL = 2; // there may be thousands of these

    private final BlockLocationRegistry kept;
    private final ReplicationPeers peers;
    private final IdentityHashMap<StagePlan, Boolean> keeping =
            new IdentityHashMap<>(STAGES_USUAL); // asked for, never gone through

    CachedBlockHints(BlockLocationRegistry kept, ReplicationPeers peers) {
        this.kept = kept;
        this.peers = peers;
    }

    /** No task of the stage will be asked about any more. */
    void forget(StagePlan plan) {
        keeping.remove(plan);
    }

    /** What the tasks of a batch for {@code target} have to know, if anything. */
    Optional<UpdateCachedBlocks> of(LaunchBatch batch, ExecutorId target) {
        StagePlan plan = batch.plan();
        if (!keeping.computeIfAbsent(plan, CachedBlockHints::keeps)) {
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
                if (!isFound(branch.steps(), part.partition(), target, places)) {
                    branch.source().parts().of(part.partition()).forEach(stack::push);
                }
            }
        }
        return places.isEmpty() ? Optional.empty() : Optional.of(new UpdateCachedBlocks(places));
    }

    private static boolean keeps(StagePlan plan) {
        return keeps(plan.pipeline().steps())
                || plan.pipeline().branches().stream().anyMatch(branch -> keeps(branch.steps()));
    }

    private static boolean keeps(List<Step> steps) {
        return steps.stream().anyMatch(Step.Persist.class::isInstance);
    }

    /** Whether a partition is kept anywhere behind one of those steps, the last of them first; noted where that is not here. */
    private boolean isFound(List<Step> steps, int partition, ExecutorId target, List<CachedBlock> places) {
        for (int i = steps.size() - 1; i >= 0; i--) {
            if (steps.get(i) instanceof Step.Persist persist) {
                int dataset = persist.dataset();
                List<String> on = kept.holders(dataset, partition);
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
