package dev.hearth.engine.internal.plan;

import dev.hearth.engine.internal.closure.CapturedFunction;
import java.util.List;

/** Beginning of a branch of a pipeline: supplies its elements. Immutable. */
public sealed interface Source
        permits Source.Elements, Source.Files, Source.LocalCheckpoint, ShuffleSource, BranchSource {
    /** Name for messages and {@code toDebugString}, in upper case. */
    String label();

    <R, E extends Exception> R accept(Handler<R, E> handler) throws E;

    /**
     * The user's function that this source applies. Most sources have no such function and return
     * {@link CapturedFunction#NONE}.
     */
    default CapturedFunction function() {
        return CapturedFunction.NONE;
    }

    /**
     * The ids of the shuffles that this source reads, one for each side of a join. Empty for every source except a
     * {@link ShuffleSource}.
     */
    default List<Integer> shuffles() {
        return List.of();
    }

    /**
     * The partitions of other branches that this source reads. Empty for every source except a {@link BranchSource}.
     */
    default NarrowDependencies parts() {
        return NarrowDependencies.NONE;
    }

    default boolean readsShuffle() {
        return false;
    }

    default boolean readsBranches() {
        return false;
    }

    /**
     * Whether the user's function of this source receives an iterator over the elements. Such a function may catch
     * exceptions that are thrown while it reads elements.
     */
    default boolean passesIterator() {
        return false;
    }

    /** Elements that the driver sends with the task, as {@link TaskInput}, for example those of {@code parallelize}. */
    record Elements() implements Source {
        @Override
        public String label() {
            return "INPUT";
        }

        @Override
        public <R, E extends Exception> R accept(Handler<R, E> handler) throws E {
            return handler.onElements(this);
        }
    }

    /** Reads files in the given format. The driver sends the list of file splits with the task. */
    record Files(FileFormat format) implements Source {
        @Override
        public String label() {
            return format.name();
        }

        @Override
        public <R, E extends Exception> R accept(Handler<R, E> handler) throws E {
            return handler.onFiles(this);
        }
    }

    /**
     * Reads the cached blocks of a local checkpoint. A lost block cannot be recomputed, because the checkpoint
     * truncated the lineage.
     */
    record LocalCheckpoint() implements Source {
        @Override
        public String label() {
            return "LOCAL_CHECKPOINT";
        }

        @Override
        public <R, E extends Exception> R accept(Handler<R, E> handler) throws E {
            return handler.onLocalCheckpoint(this);
        }
    }

    /** Visitor with one method for each kind of source. */
    interface Handler<R, E extends Exception> {
        R onElements(Elements source) throws E;

        R onFiles(Files source) throws E;

        R onLocalCheckpoint(LocalCheckpoint source) throws E;

        R onShuffle(ShuffleSource source) throws E;

        R onBranches(BranchSource source) throws E;
    }
}
