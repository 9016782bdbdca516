package dev.hearth.spi.application;

import dev.hearth.spi.net.Bytes;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Receiver of credentials in executors, such as the tokens of a file system. Implemented by bundles that run in
 * executors; found by {@link #KIND}. A cluster manager passes credentials to the driver, which sends them to all
 * executors of the application.
 */
@ConsumerType
@FunctionalInterface
public interface CredentialSink {
    /** Service property: the kind of credentials received here, or several kinds, for example {@code hadoop}. */
    String KIND = "hearth.credential-sink.kind";

    /**
     * Receives the latest credentials of {@code kind}, in place of all earlier ones. Called before the executor runs a
     * task, whenever the credentials change, and when this service appears; never by two threads at once. Must not
     * block. Do not show {@code content}: it is secret.
     */
    void accept(String kind, Bytes content);
}
