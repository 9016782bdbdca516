package dev.hearth.engine.internal.scheduler;

import dev.hearth.engine.internal.plan.StagePlan;
import java.util.BitSet;
import java.util.IdentityHashMap;

/**
 * Tracks which executors have received which stage plans. A plan is sent to an executor before the first launch there
 * that needs it. Executors drop the plan once no task set uses it. Plans are compared by identity. Owned by
 * {@link TaskScheduler}.
 */
final class DefinedPlans {
    private final SchedulerEffects effects;
    private final ExecutorSet executors;
    // never iterated, because the order of an identity map differs between runs
    private final IdentityHashMap<StagePlan, Use> uses = new IdentityHashMap<>();

    DefinedPlans(SchedulerEffects effects, ExecutorSet executors) {
        this.effects = effects;
        this.executors = executors;
    }

    /** One stage plan in use: the number of task sets that use the plan, and the executors that have received it. */
    static final class Use {
        private final BitSet known = new BitSet(); // numbers of executors that have received the plan
        private int sets;
    }

    Use use(StagePlan plan) {
        Use use = uses.computeIfAbsent(plan, absent -> new Use());
        use.sets++;
        return use;
    }

    void define(StagePlan plan, Use use, Executor executor) {
        if (!use.known.get(executor.number())) {
            use.known.set(executor.number());
            effects.add(new SchedulerEffect.Define(executor.id(), plan));
        }
    }

    void release(StagePlan plan, Use use) {
        if (--use.sets > 0) {
            return;
        }
        uses.remove(plan);
        for (int number = use.known.nextSetBit(0); number >= 0; number = use.known.nextSetBit(number + 1)) {
            executors
                    .numbered(number)
                    .ifPresent(executor -> effects.add(new SchedulerEffect.Forget(executor.id(), plan)));
        }
    }
}
