package dev.hearth.engine.internal.dataset;

import dev.hearth.api.HearthContext;
import dev.hearth.api.JobFuture;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import java.util.concurrent.Executor;

/** What datasets need of the context that made them. */
public interface DatasetContext {
    HearthContext context();

    UserObjectSerializer objects();

    int nextDataset();

    int nextShuffle();

    /** Lets what {@code shuffle} holds go once nothing can read {@code dataset} any more. */
    void watch(Object dataset, int shuffle);

    /** What is kept of datasets. */
    PersistenceManager keeper();

    /** The datasets that were persisted. */
    PersistedDatasets persisted();

    /** Refuses code inside a task, which has no use for datasets. */
    void refuseTasks(String operation);

    /** Runs a job and waits for it on the calling thread. */
    <R> R run(Action<R> action);

    /** Runs a job without waiting; what is to be written after it is, before its answer is told. */
    <R> JobFuture<R> start(Action<R> action);

    /** Runs what it is given at once, on the thread that gives it; jobs start as those of the thread that calls this now. */
    Executor asCaller();
}
