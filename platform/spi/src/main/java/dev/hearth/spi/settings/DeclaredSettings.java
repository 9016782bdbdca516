package dev.hearth.spi.settings;

import org.osgi.annotation.versioning.ProviderType;

/** What the bundles of this process declare, as they come and go; the kernel implements it. Any thread may call. */
@ProviderType
public interface DeclaredSettings {
    /** The settings that are declared at this moment. */
    SettingsCatalog catalog();
}
