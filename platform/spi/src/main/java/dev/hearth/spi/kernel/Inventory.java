package dev.hearth.spi.kernel;

import java.util.List;
import java.util.Map;
import org.osgi.annotation.versioning.ProviderType;

/** The bundles and services of this process at this moment. */
@ProviderType
public interface Inventory {
    List<BundleEntry> bundles();

    List<ServiceEntry> services();

    /**
     * Why a bundle is not running, in words: what is missing and which bundle could provide it; or that it runs, and what it
     * provides. {@code bundle} is an id or a symbolic name.
     */
    String why(String bundle);

    /** {@code from} is {@code bundles} or {@code deploy}; {@code problem} is empty for a bundle that runs. */
    record BundleEntry(long id, String name, String version, String state, String from, String problem) {}

    /** {@code properties} holds what distinguishes the service, as text. */
    record ServiceEntry(long id, List<String> types, String bundle, Map<String, String> properties) {}
}
