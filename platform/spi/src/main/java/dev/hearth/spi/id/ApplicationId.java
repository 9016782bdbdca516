package dev.hearth.spi.id;

/** One application on one cluster, for example {@code app-20261118094746-0000}. */
public record ApplicationId(String value) {
    public ApplicationId {
        IdSyntax.require("ApplicationId", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
