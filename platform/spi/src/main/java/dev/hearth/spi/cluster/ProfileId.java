package dev.hearth.spi.cluster;

/**
 * Id of an {@link ExecutorProfile} within its application: 0 for the default profile, which the settings {@code
 * hearth.executor.*} define, and ascending numbers for the resource profiles that the application uses.
 */
public record ProfileId(int value) {
    public static final ProfileId DEFAULT = new ProfileId(0);
}
