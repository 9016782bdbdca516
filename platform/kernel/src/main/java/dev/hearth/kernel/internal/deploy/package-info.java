/**
 * Deployment of the bundles in the directory deploy/. A state machine decides, and {@code DirectoryDeployer} carries
 * out its effects. Internal.
 */
@NullMarked
package dev.hearth.kernel.internal.deploy;

import org.jspecify.annotations.NullMarked;
