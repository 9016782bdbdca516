/**
 * Deploys the bundles of the directory deploy/; a state machine decides and a shell carries out its effects. Internal.
 */
@NullMarked
package dev.hearth.kernel.internal.deploy;

import org.jspecify.annotations.NullMarked;
