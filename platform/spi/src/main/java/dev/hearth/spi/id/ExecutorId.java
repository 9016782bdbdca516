package dev.hearth.spi.id;

/** One executor of one application, for example {@code 0}; never used again once lost. */
public record ExecutorId(String value) {
    public ExecutorId {
        IdSyntax.require("ExecutorId", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
