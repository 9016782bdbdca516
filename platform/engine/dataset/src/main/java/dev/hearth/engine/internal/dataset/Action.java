package dev.hearth.engine.internal.dataset;

import dev.hearth.engine.internal.plan.JobPlan;
import dev.hearth.engine.internal.plan.Sink;
import dev.hearth.engine.internal.resource.ProfileRegistry;
import java.util.Map;

/**
 * One action of the user: the partitions of a dataset to compute, the sink that their elements go to, and the collector
 * of the results. Immutable.
 * <p>{@code partitions} are in the order of the results. {@link #results} creates a new collector for each job.
 */
public final class Action<R> {
    private final Lineage dataset;
    private final Sink sink;
    private final int[] partitions;
    private final ResultCollector.Factory<R> results;
    private final CallSite site;
    // Purpose shown before the call site in stage names; empty for an action that the user called.
    private final String purpose;

    Action(Lineage dataset, Sink sink, int[] partitions, CallSite site, ResultCollector.Factory<R> results) {
        this(dataset, sink, partitions, site, results, "");
    }

    private Action(
            Lineage dataset,
            Sink sink,
            int[] partitions,
            CallSite site,
            ResultCollector.Factory<R> results,
            String purpose) {
        this.purpose = purpose;
        this.dataset = dataset;
        this.sink = sink;
        this.partitions = partitions;
        this.results = results;
        this.site = site;
    }

    /** Plans the job, with the local properties of the thread that called the action. Call {@link #prepare} first. */
    public JobPlan plan(Map<String, String> properties, CacheStatus cached, ProfileRegistry profiles) {
        return StagePlanner.cut(dataset, sink, partitions, properties, site(), cached, profiles);
    }

    /**
     * Runs the preparations that planning this action requires, unless they have run, such as the job that samples keys
     * for a sort.
     */
    public void prepare(DatasetContext runner) {
        for (Preparation deferred : PendingPreparations.of(dataset)) {
            deferred.prepare(runner, site);
        }
    }

    /**
     * Writes the checkpoints that the user has requested for datasets in the lineage of this action. Called once the
     * action's job has succeeded.
     */
    public void checkpoint(DatasetContext runner) {
        Checkpoints.due(dataset).forEach(due -> Checkpoints.write(runner, due, site));
    }

    public ResultCollector<R> results() {
        return results.open(partitions.length);
    }

    /** The lineage of the dataset of this action as text, one line for each dataset. */
    public String lineage(CacheStatus cached) {
        return LineageText.of(dataset, cached);
    }

    /** The call site in the user's code, after the purpose of the action if one is set. */
    public CallSite site() {
        return purpose.isEmpty() ? site : new CallSite(purpose + site.shown(), site.frames());
    }

    /**
     * Returns a copy of this action with the purpose {@code what}, for example for a job that samples keys. Stage names
     * show the purpose before the call site.
     */
    Action<R> forPurpose(String what) {
        return new Action<>(dataset, sink, partitions, site, results, what);
    }

    /** Returns a copy of this action with the call site {@code named}. */
    public Action<R> at(CallSite named) {
        return new Action<>(dataset, sink, partitions, named, results, purpose);
    }
}
