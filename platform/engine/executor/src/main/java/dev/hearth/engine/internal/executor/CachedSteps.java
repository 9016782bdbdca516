package dev.hearth.engine.internal.executor;

import dev.hearth.api.HearthException;
import dev.hearth.api.StorageLevel;
import dev.hearth.engine.internal.plan.Step;
import dev.hearth.engine.internal.storage.BlockId;
import dev.hearth.engine.internal.storage.BlockIterator;
import dev.hearth.engine.internal.storage.BlockStore;
import dev.hearth.engine.internal.storage.BlockWriter;
import dev.hearth.engine.internal.storage.CachingIterator;
import dev.hearth.spi.error.ErrorCode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Handles the persist steps of one branch (the computation of one dataset of a stage) in one attempt. Finds the last
 * step whose block is cached, so that the attempt can begin there, and caches the blocks of the steps after it. Other
 * tasks see the new blocks only after the attempt has succeeded. Owned by the attempt's thread.
 */
final class CachedSteps {
    private static final int NOTHING = -1;

    /** Instance for a branch without persisted datasets. */
    static final CachedSteps NONE = new CachedSteps();

    private final @Nullable TaskAttempt attempt;
    private final int partition;
    private final List<CachingIterator> drafts = new ArrayList<>();
    private @Nullable BlockIterator cached;
    private int cachedAt = NOTHING;

    private CachedSteps() {
        this.attempt = null;
        this.partition = NOTHING;
    }

    /**
     * Finds the last persist step in {@code steps} whose block of the partition {@code partition} is already cached, so
     * that the attempt can begin there.
     */
    CachedSteps(TaskAttempt attempt, int partition, List<Step> steps) {
        this.attempt = attempt;
        this.partition = partition;
        for (int i = steps.size() - 1; i >= 0 && cachedAt == NOTHING; i--) {
            if (steps.get(i) instanceof Step.Persist persist && isCached(persist)) {
                Optional<BlockIterator> there = read(attempt, persist);
                if (there.isPresent()) {
                    cached = there.get();
                    cachedAt = i;
                    attempt.atEnd(cached::close);
                }
            }
        }
    }

    private static boolean isCached(Step.Persist step) {
        return step.level() != StorageLevel.NONE;
    }

    private static BlockStore blocks(TaskAttempt attempt) {
        return attempt.services.data().kept();
    }

    private Optional<BlockIterator> read(TaskAttempt reader, Step.Persist step) {
        BlockId id = id(step);
        return blocks(reader)
                .read(id, step.level(), reader::checkKilled)
                .or(() -> reader.services
                        .remote()
                        .flatMap(others -> others.cached().read(id, AttemptReader.of(reader), reader::checkKilled)));
    }

    private BlockId id(Step.Persist step) {
        return new BlockId(step.dataset(), partition);
    }

    /**
     * Returns the failure for partition {@code partition} of a locally checkpointed dataset whose cached block is lost
     * and cannot be recomputed.
     */
    static HearthException lost(int partition, List<Step> steps) {
        int dataset = !steps.isEmpty() && steps.get(0) instanceof Step.Persist persist ? persist.dataset() : -1;
        return ErrorCode.CHECKPOINT_LOST.failure("partition " + partition + " of dataset " + dataset
                + ": was checkpointed locally, and its only copy is lost (expected: kept by its"
                + " executor); use checkpoint() for data that must survive the loss of executors");
    }

    /**
     * Returns the index of the last persist step whose block is cached, so that it replaces the steps before it; -1 if
     * no block is cached.
     */
    int cachedAt() {
        return cachedAt;
    }

    Iterator<?> elements() {
        BlockIterator there = cached;
        return there == null ? Collections.emptyIterator() : there;
    }

    /**
     * Returns {@code elements}, and caches them for the persist step {@code step} as they pass. Does not cache if the
     * step has no storage level.
     */
    @SuppressWarnings("unchecked") // a step may yield elements of any type
    Iterator<?> cache(Step.Persist step, Iterator<?> elements) {
        if (!isCached(step)) {
            return elements;
        }
        TaskAttempt keeper = attempt;
        if (keeper == null) {
            throw new IllegalStateException("step PERSIST: opened without its blocks (expected: those of its branch)");
        }
        BlockWriter draft = blocks(keeper).begin(id(step), step.level());
        keeper.publishOnSuccess(new TaskOutput() {
            @Override
            public void publish() {
                draft.publish();
            }

            @Override
            public void discard() {
                draft.discard();
            }
        });
        CachingIterator passing = new CachingIterator((Iterator<@Nullable Object>) elements, draft);
        drafts.add(passing);
        return passing;
    }

    /**
     * Completes the blocks that the attempt caches, after its sink has finished. Computes the remaining elements of a
     * block if the sink did not take all of them.
     */
    void complete() {
        for (int i = drafts.size() - 1; i >= 0; i--) {
            // from last to first, because the last block reads from the blocks before it
            drafts.get(i).complete();
        }
        BlockIterator there = cached;
        if (there != null && attempt != null) {
            there.requireReadable();
            attempt.countRead(there.taken(), there.bytes());
            there.close();
        }
    }
}
