package dev.hearth.spi.live;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Handle of a service that may be replaced at any moment without its callers noticing. Any thread may call.
 * <p>A call uses the newest provider, that is, the newest registered service of the type. The deployer does not remove
 * the provider's bundle until the call has returned or the drain timeout has expired. While there is no provider, a
 * call waits for one up to a time limit.
 */
@ProviderType
public interface Live<T> extends AutoCloseable {
    /**
     * Runs {@code call} with the newest provider. Fails with {@code NO_PROVIDER} if there is none and none appears
     * within the time limit.
     */
    <R, E extends Exception> R call(Call<? super T, R, E> call) throws E;

    /** Whether a provider of the service is available now, so that a call need not wait. */
    boolean isThere();

    @Override
    void close();

    /** Code that calls a provider of the service. It must not keep a reference to the provider after it returns. */
    @FunctionalInterface
    interface Call<T, R, E extends Exception> {
        R with(T provider) throws E;
    }
}
