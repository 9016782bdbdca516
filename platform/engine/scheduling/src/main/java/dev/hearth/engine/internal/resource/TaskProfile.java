package dev.hearth.engine.internal.resource;

/**
 * Resource profile of a stage as the schedulers see it: its id, the id of the profile whose executors run its tasks,
 * and the needs of each task. Both ids are the same, unless tasks of other needs share the default executors. Immutable.
 */
public record TaskProfile(int id, int executors, TaskNeeds needs) {
    public static final int DEFAULT_ID = 0;

    /**
     * Stands for the default profile in plans. The task scheduler takes its needs from the settings; those of this
     * constant only fill the component.
     */
    public static final TaskProfile DEFAULT = new TaskProfile(DEFAULT_ID, DEFAULT_ID, TaskNeeds.ONE_CORE);

    public boolean isDefault() {
        return id == DEFAULT_ID;
    }
}
