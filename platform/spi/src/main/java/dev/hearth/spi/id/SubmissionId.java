package dev.hearth.spi.id;

/** Id of a submission, for example {@code driver-20261118094746-0000}. */
public record SubmissionId(String value) {
    public SubmissionId {
        IdSyntax.require("SubmissionId", value, IdSyntax.SUBMISSION_LENGTH_MAX);
    }

    @Override
    public String toString() {
        return value;
    }
}
