package dev.hearth.engine.internal.dataset;

import dev.hearth.engine.internal.plan.JobPlan;
import dev.hearth.engine.internal.plan.Sink;
import java.util.Map;

/**
 * What one action asks for: a sink over some partitions of a dataset, and what makes the answer of their results.
 * <p>{@code partitions} in the order of the results. {@link #results} makes one collector per job.
 */
public final class Action<R> {
    private final Lineage dataset;
    private final Sink sink;
    private final int[] partitions;
    private final ResultCollector.Factory<R> results;
    private final CallSite site;
    private final String purpose; // stands before the place; empty for what the user asked for

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

    /** The stages of the job, under the properties of the asking thread; {@code kept} says what is kept. Once it is prepared. */
    public JobPlan plan(Map<String, String> properties, CacheStatus kept) {
        return StagePlanner.cut(dataset, sink, partitions, properties, site(), kept);
    }

    /** Decides whatever has to be known of the data before the job can be planned, by jobs before it. */
    public void prepare(DatasetContext runner) {
        for (Preparation deferred : PendingPreparations.below(dataset)) {
            deferred.decide(runner, site);
        }
    }

    /** Writes what of the datasets that this went over is to be checkpointed, once it has succeeded. */
    public void checkpoint(DatasetContext runner) {
        Checkpoints.due(dataset).forEach(due -> Checkpoints.write(runner, due, site));
    }

    public ResultCollector<R> results() {
        return results.open(partitions.length);
    }

    /** Where the user's code asked for it. */
    public CallSite site() {
        return purpose.isEmpty() ? site : new CallSite(purpose + site.shown(), site.frames());
    }

    /** The same, shown as what it is for. */
    Action<R> meant(String what) {
        return new Action<>(dataset, sink, partitions, site, results, what);
    }

    /** The same asked for under a place the user named. */
    public Action<R> at(CallSite named) {
        return new Action<>(dataset, sink, partitions, named, results, purpose);
    }
}
