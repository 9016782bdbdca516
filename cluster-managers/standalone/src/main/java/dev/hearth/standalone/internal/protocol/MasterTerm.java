package dev.hearth.standalone.internal.protocol;

/**
 * Time in which one master leads. {@code cluster} names the log of facts that masters share one after another; a master
 * without a log has a name of its own. {@code epoch} grows with each master of one log. Both are empty in messages of older
 * processes.
 */
public record MasterTerm(String cluster, long epoch) {
    public static final MasterTerm NONE = new MasterTerm("", 0);

    public boolean isNone() {
        return cluster.isEmpty();
    }

    /** Whether the master of this term has been followed by that of {@code other}. Terms of different logs have no order. */
    public boolean isBefore(MasterTerm other) {
        return !isNone() && cluster.equals(other.cluster) && epoch < other.epoch;
    }

    @Override
    public String toString() {
        return isNone() ? "unknown" : "epoch " + epoch + " of " + cluster;
    }
}
