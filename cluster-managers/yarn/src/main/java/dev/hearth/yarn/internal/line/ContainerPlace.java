package dev.hearth.yarn.internal.line;

/**
 * Nodes on which containers may be: those with a label, empty for the default partition, or those of a placement constraint in
 * YARN's own text form, empty for none. Immutable.
 */
public record ContainerPlace(String nodeLabel, String constraint) {
    public static final ContainerPlace ANY = new ContainerPlace("", "");

    /** Whether requests name preferred hosts: not beside a label or a constraint. */
    public boolean isAnywhere() {
        return equals(ANY);
    }
}
