package dev.hearth.spi.cluster;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Submission rules of the bundles of this installation, read without starting the bundles. Implemented by the module
 * kernel. Any thread may call; calls read files.
 */
@ProviderType
public interface InstalledRules {
    /**
     * Rules of the bundles that the installation was built with, and of the jars in deploy/, which override them. A jar
     * with malformed rules is left out with a warning.
     */
    SubmissionRuleTable rules();

    /** As {@link #rules}, and of all other jars in bundles/. Opens each jar, so it is for flags not found otherwise. */
    SubmissionRuleTable allRules();
}
