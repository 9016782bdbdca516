package dev.hearth.kubernetes.internal.anchor;

import dev.hearth.kubernetes.internal.api.ApiObject;
import dev.hearth.kubernetes.internal.api.ObjectFacts;

/** Content of an anchor as requests to the API server. Implemented by the package of pods. */
public interface AnchorContent {
    /** Whether {@code found} is an anchor of the same application. */
    boolean isOfApplication(ObjectFacts found);

    /** Random text by which this driver recognises its objects. */
    String nonce();

    /** Whether the anchor has a counter to renew, because no pod owns it. */
    boolean renews();

    String anchorName();

    /** Secret with the launch orders of all executors, for a driver with the number {@code epoch}. */
    ApiObject anchor(long epoch);

    /** Merge patch that makes this driver the holder of an anchor with the version {@code version}. */
    String takeOver(String version, long epoch);

    /** Merge patch that sets the counter of an anchor with the version {@code version}. */
    String renewal(String version, long renewed);
}
