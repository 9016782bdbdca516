package dev.hearth.spi.id;

/** Id of an executor within its application, for example {@code 0}. An id is never reused. */
public record ExecutorId(String value) {
    public ExecutorId {
        IdSyntax.require("ExecutorId", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
