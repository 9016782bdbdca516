package dev.hearth.spi.cluster;

/**
 * Id of an {@link ExecutorProfile} within its application. Only the default profile exists so far, which the settings
 * {@code hearth.executor.*} define.
 */
public record ProfileId(int value) {
    public static final ProfileId DEFAULT = new ProfileId(0);
}
