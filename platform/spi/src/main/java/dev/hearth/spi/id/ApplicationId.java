package dev.hearth.spi.id;

/** Id of an application on its cluster, for example {@code app-20261118094746-0000}. */
public record ApplicationId(String value) {
    public ApplicationId {
        IdSyntax.require("ApplicationId", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
